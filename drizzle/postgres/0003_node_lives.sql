ALTER TABLE "nodes"
	-- Since when it lives without a gap: only who has done so for a whole lease takes others over.
	ADD COLUMN "renewed" bigint NOT NULL DEFAULT 0
--> statement-breakpoint
ALTER TABLE "slices"
	-- Of it, what running calls held when the node spoke of it last: for people who look, and never decided by.
	ADD COLUMN "held" bigint NOT NULL DEFAULT 0
