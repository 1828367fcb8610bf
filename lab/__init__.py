"""What lies between the solvers and the pages: a room for each page, and what the rooms share."""
