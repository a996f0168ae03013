-- When the run got its first rows (epoch ms). A command that was begun before does not take them for rows that its user knew.
ALTER TABLE run ADD COLUMN filled_at bigint NOT NULL DEFAULT 0;
