-- Nonces of the calls of operators that change something: each is accepted once. The signature window bounds how long they are kept.
CREATE TABLE operator_nonces (
  operator_id integer NOT NULL REFERENCES operators (id),
  nonce text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (operator_id, nonce)
);

CREATE INDEX operator_nonces_expires_at_idx ON operator_nonces (expires_at);
