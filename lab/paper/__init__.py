"""Paper vs measured: its claims judged by committed results, its errata shown."""
