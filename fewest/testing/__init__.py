"""What tests of searches and measures stand on, for ours and for yours."""
