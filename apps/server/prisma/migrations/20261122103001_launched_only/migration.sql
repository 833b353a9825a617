-- Sessions that the operator has not launched here are unknown, without a call to its wallet: nobody can invent those that it is asked about.
ALTER TABLE operators ADD COLUMN launched_only boolean NOT NULL DEFAULT false;
