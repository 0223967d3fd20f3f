"""How the models are trained and measured; nothing here is used when the referee runs."""
