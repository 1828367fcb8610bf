"""What the paper states in passing or proves, put to small exact tests and repeated draws.

Every function takes how many points or draws to try and gives numbers that a file can hold; what
they mean for a claim is said by the judges. Nothing here looks at a clock, except for `costs`.
"""
