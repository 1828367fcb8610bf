"""How the paper's claims are judged: functions of the committed results, a verdict each.

No number that we measured is typed here; what "slightly" or "comparable" is taken to mean is.
"""
