-- Slices of money that processes hold: see cluster exchange in src/storage/postgres/exchange-sql.ts.
ALTER TABLE "accounts"
	-- Of the balance, what all nodes have slices of.
	ADD COLUMN "leased" bigint NOT NULL DEFAULT 0 CHECK ("leased" >= 0),
	-- Number of the newest question for what others can spare, its node and its end; no node for none.
	ADD COLUMN "ask_no" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "ask_node" bigint NOT NULL DEFAULT 0,
	ADD COLUMN "ask_until" bigint NOT NULL DEFAULT 0
--> statement-breakpoint
CREATE INDEX "accounts_asked" ON "accounts" ("id") WHERE "ask_node" <> 0
--> statement-breakpoint
-- Sums that caps are checked against, at any instant; "spent" has them a little later, for readers.
CREATE TABLE "scopes" (
	"name" text COLLATE "C" PRIMARY KEY,
	-- A part of the sum of that scope, which one node counts alone.
	"part_of" text COLLATE "C",
	"sum" bigint NOT NULL DEFAULT 0,
	"leased" bigint NOT NULL DEFAULT 0 CHECK ("leased" >= 0),
	"ask_no" bigint NOT NULL DEFAULT 0,
	"ask_node" bigint NOT NULL DEFAULT 0,
	"ask_until" bigint NOT NULL DEFAULT 0,
	-- Of a limit a minute: how much of it was used when, and what the limit was.
	"used" double precision NOT NULL DEFAULT 0,
	"used_at" bigint NOT NULL DEFAULT 0,
	"used_limit" bigint NOT NULL DEFAULT 0
)
--> statement-breakpoint
CREATE INDEX "scopes_asked" ON "scopes" ("name") WHERE "ask_node" <> 0
--> statement-breakpoint
CREATE INDEX "scopes_parts" ON "scopes" ("part_of") WHERE "part_of" IS NOT NULL
--> statement-breakpoint
CREATE TABLE "slices" (
	"scope" text COLLATE "C" NOT NULL,
	"node" bigint NOT NULL,
	"amount" bigint NOT NULL CHECK ("amount" >= 0),
	-- Number of the newest question that was answered, and whether nothing moved since the one before.
	"answered" bigint NOT NULL DEFAULT 0,
	"quiet" boolean NOT NULL DEFAULT true,
	PRIMARY KEY ("scope", "node")
)
--> statement-breakpoint
CREATE INDEX "slices_node" ON "slices" ("node")
--> statement-breakpoint
-- The node whose call it is; below zero once that was taken over while the call ran.
ALTER TABLE "requests" ADD COLUMN "node" bigint
--> statement-breakpoint
CREATE INDEX "requests_running" ON "requests" ("node") WHERE "status" = 'pending'
--> statement-breakpoint
-- Calls without a cost that no sum has yet: no transfer says that they were.
CREATE TABLE "free_calls" (
	"request" text COLLATE "C" NOT NULL,
	-- It was counted as an error that cost nothing, and is charged after all: that count goes back.
	"undone" boolean NOT NULL DEFAULT false,
	PRIMARY KEY ("request", "undone")
)
--> statement-breakpoint
ALTER TABLE "nodes"
	-- When it left, or was taken over.
	ADD COLUMN "ended" bigint,
	-- The node that took it over; null for one that left by itself.
	ADD COLUMN "taken_by" bigint
--> statement-breakpoint
CREATE INDEX "nodes_living" ON "nodes" ("expires") WHERE NOT "dead"
--> statement-breakpoint
CREATE FUNCTION fail(why text) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', why; END $$
--> statement-breakpoint
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$
--> statement-breakpoint
-- What goes back was spent no more, whoever gives it back: in the same transaction.
CREATE FUNCTION refund_scopes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	UPDATE scopes SET sum = sum - NEW.amount WHERE name IN (
		SELECT unnest(ARRAY[
			'key ' || r.key || ' ',
			'project-month ' || r.project || ' ' || to_char(to_timestamp(r.created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM'),
			'account ' || r.account || ' ',
			'account-day ' || r.account || ' ' || to_char(to_timestamp(r.created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
			'service-day 0 ' || to_char(to_timestamp(r.created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')
		]) FROM requests r WHERE r.id = NEW.reference);
	INSERT INTO scopes AS s (name, sum)
		SELECT 'service-day 0 ' || to_char(to_timestamp(r.created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), - NEW.amount
		FROM requests r WHERE r.id = NEW.reference
		ON CONFLICT (name) DO NOTHING;
	RETURN NULL;
END $$
--> statement-breakpoint
CREATE TRIGGER transfers_refund_scopes AFTER INSERT ON "transfers" FOR EACH ROW WHEN (NEW.kind = 'refund')
	EXECUTE FUNCTION refund_scopes()
--> statement-breakpoint
-- Told to every process at once: somebody changed something but calls.
CREATE FUNCTION tell_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	PERFORM pg_notify('chapar_changed', NEW.version::text);
	RETURN NULL;
END $$
--> statement-breakpoint
CREATE TRIGGER world_tell_changed AFTER UPDATE ON "world" FOR EACH ROW EXECUTE FUNCTION tell_changed()
--> statement-breakpoint
-- Work that one node does for all: whose it is, and until when unless that node says so again.
CREATE TABLE "duties" (
	"name" text COLLATE "C" PRIMARY KEY,
	"node" bigint NOT NULL,
	-- Grows each time that it passes to another node.
	"claim" bigint NOT NULL DEFAULT 1,
	"until" bigint NOT NULL
)
