-- A B-tree takes no text of more than a third of a page, and ids of rows and tasks may be longer: a hash index holds digests.
DROP INDEX items_by_id;
CREATE INDEX items_by_id ON items USING hash (id);
DROP INDEX attempts_by_task;
CREATE INDEX attempts_by_task ON attempts USING hash (task_key(task_id));
DROP INDEX attempts_by_token;
CREATE INDEX attempts_by_token ON attempts USING hash (token);
