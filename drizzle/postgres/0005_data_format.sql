-- Programs that do not know a format write nothing: what they would leave out of it is nowhere to be found again.
ALTER TABLE "world"
	-- Format of what is written: number of the newest step beside which nodes of before may not serve.
	ADD COLUMN "format" bigint NOT NULL DEFAULT 0
--> statement-breakpoint
ALTER TABLE "nodes"
	-- Format that its program writes.
	ADD COLUMN "format" bigint NOT NULL DEFAULT 0
--> statement-breakpoint
-- Connections say which format their program writes.
CREATE FUNCTION refuse_older() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	-- Of a node that begins while a step is made, one sees the other.
	IF TG_OP = 'INSERT' THEN LOCK TABLE steps IN ROW SHARE MODE; END IF;
	IF coalesce(nullif(current_setting('chapar.format', true), ''), '0')::bigint < (SELECT format FROM world) THEN
		RAISE EXCEPTION 'a newer release has brought this database to another format' USING ERRCODE = '55000';
	END IF;
	RETURN NEW;
END $$
--> statement-breakpoint
CREATE TRIGGER nodes_refuse_older BEFORE INSERT ON "nodes" FOR EACH ROW EXECUTE FUNCTION refuse_older()
--> statement-breakpoint
CREATE TRIGGER summed_refuse_older BEFORE UPDATE ON "summed" FOR EACH ROW EXECUTE FUNCTION refuse_older()
--> statement-breakpoint
CREATE TRIGGER world_refuse_older BEFORE UPDATE OF "version" ON "world" FOR EACH ROW EXECUTE FUNCTION refuse_older()
--> statement-breakpoint
UPDATE "world" SET "format" = 5
