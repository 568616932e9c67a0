"""The benchmark of lass0 against its peers: see ../README.md."""
