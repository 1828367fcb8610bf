"""The methods that the paper compares with or cites, one file each."""
