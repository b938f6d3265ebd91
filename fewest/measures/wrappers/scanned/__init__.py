"""Cross-validated scores of tables that stay where they are."""
