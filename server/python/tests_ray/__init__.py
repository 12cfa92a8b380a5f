"""Tests of what runs on Ray, with the libraries of requirements.txt here."""
