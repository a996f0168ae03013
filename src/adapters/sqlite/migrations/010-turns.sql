-- When a pending row is sent, and whether a rejected one is kept for a second chance: first, last, again, spent.
ALTER TABLE items ADD COLUMN turn TEXT NOT NULL DEFAULT 'first';

CREATE INDEX items_refused_alike ON items (row) WHERE turn = 'again';
