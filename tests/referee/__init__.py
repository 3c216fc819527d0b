"""Slow, plain-Python referees that the fast kernels are checked against."""
