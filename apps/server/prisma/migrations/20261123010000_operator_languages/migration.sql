-- Languages beside the 16 of the protocol that the operator's launches may use.
ALTER TABLE operators ADD COLUMN languages text[] NOT NULL DEFAULT '{}';
