ALTER TABLE "nodes"
	-- Marks of the generations of secret.key that it has read, and the one it hashes under, as JSON: a rotation waits for all.
	ADD COLUMN "secrets" text NOT NULL DEFAULT ''
