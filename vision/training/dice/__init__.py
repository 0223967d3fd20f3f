"""How the dice and cube readers are trained and measured."""
