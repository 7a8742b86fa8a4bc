"""The modules behind ./run."""
