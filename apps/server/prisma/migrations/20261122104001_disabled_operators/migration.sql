-- Nobody plays at a disabled operator, and it launches nothing. Beside it stands a maintenance switch of the operator, which the commands
-- of rounds judge already; this column keeps that switch on.
ALTER TABLE operators ADD COLUMN disabled boolean NOT NULL DEFAULT false;
