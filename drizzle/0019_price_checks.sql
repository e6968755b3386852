CREATE TABLE `__new_price_proposals` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text DEFAULT 'sale' NOT NULL,
	`model` text NOT NULL,
	`vendor` text DEFAULT '' NOT NULL,
	`vendor_model` text DEFAULT '' NOT NULL,
	`lines` text NOT NULL,
	`rule` integer,
	`moved` text,
	`cause` text NOT NULL,
	`created` integer NOT NULL,
	`status` text NOT NULL,
	`by` text,
	`decided` integer,
	CONSTRAINT "price_proposals_status" CHECK("__new_price_proposals"."status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "price_proposals_kind" CHECK("__new_price_proposals"."kind" in ('sale', 'cost', 'discontinued'))
);
--> statement-breakpoint
INSERT INTO `__new_price_proposals`("id", "model", "lines", "rule", "cause", "created", "status", "by", "decided") SELECT "id", "model", "lines", "rule", "cause", "created", "status", "by", "decided" FROM `price_proposals`;--> statement-breakpoint
DROP TABLE `price_proposals`;--> statement-breakpoint
ALTER TABLE `__new_price_proposals` RENAME TO `price_proposals`;--> statement-breakpoint
CREATE UNIQUE INDEX `price_proposals_pending` ON `price_proposals` (`kind`,`model`) WHERE "price_proposals"."status" = 'pending' and "price_proposals"."kind" <> 'cost';--> statement-breakpoint
CREATE UNIQUE INDEX `price_proposals_pending_cost` ON `price_proposals` (`vendor`,`vendor_model`) WHERE "price_proposals"."status" = 'pending' and "price_proposals"."kind" = 'cost';--> statement-breakpoint
CREATE INDEX `price_proposals_model` ON `price_proposals` (`model`);
