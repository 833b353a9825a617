-- A bet that is given back. In a migration of its own: PostgreSQL lets a new value be used only after the transaction that added it.
ALTER TYPE transfer_kind ADD VALUE 'refund';
