"""What breaks around the app: workers, the server itself, the disk, the browser."""
