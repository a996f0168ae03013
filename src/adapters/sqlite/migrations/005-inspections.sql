-- What was seen of each video, by the digest of its bytes, as JSON; and what that gave a reason to look at.
CREATE TABLE inspections (
  sha256 TEXT PRIMARY KEY,
  facts TEXT NOT NULL,
  findings TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;
