-- When a pending row is sent, and whether a rejected one is kept for a second chance: first, last, again, spent.
ALTER TABLE items ADD COLUMN turn text NOT NULL DEFAULT 'first';

CREATE INDEX items_refused_alike ON items (row) WHERE turn = 'again';

ALTER TYPE item_change ADD ATTRIBUTE turn text;

ALTER FUNCTION apply_wave(item_change[], artifact_change[], bigint, bigint, bigint) RENAME TO apply_wave_but_turns;

CREATE FUNCTION apply_wave(
  changes item_change[], files artifact_change[], now_change bigint, now_round bigint, answer bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM apply_wave_but_turns(changes, files, now_change, now_round, answer);
  -- A process of an earlier version knows of no turn.
  UPDATE items i SET turn = c.turn FROM unnest(changes) c
  WHERE i.key = c.key AND c.turn IS NOT NULL AND i.turn <> c.turn;
END
$$;
