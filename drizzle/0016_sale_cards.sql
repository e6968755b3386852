CREATE TABLE `cost_cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`vendor` text NOT NULL,
	`vendor_model` text NOT NULL,
	`version` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`source` text NOT NULL,
	`lines` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cost_cards_version` ON `cost_cards` (`vendor`,`vendor_model`,`version`);--> statement-breakpoint
CREATE TABLE `price_proposals` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`lines` text NOT NULL,
	`rule` integer NOT NULL,
	`cause` text NOT NULL,
	`created` integer NOT NULL,
	`status` text NOT NULL,
	`by` text,
	`decided` integer,
	CONSTRAINT "price_proposals_status" CHECK("price_proposals"."status" in ('pending', 'approved', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `price_proposals_pending` ON `price_proposals` (`model`) WHERE "price_proposals"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `price_proposals_model` ON `price_proposals` (`model`);--> statement-breakpoint
CREATE TABLE `pricing_rules` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`markup_percent` text NOT NULL,
	`fee_per_call` text,
	`digits` integer,
	`basis` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pricing_rules_scope` ON `pricing_rules` (`kind`,`name`);--> statement-breakpoint
CREATE TABLE `sale_cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`version` text NOT NULL,
	`valid_from` integer,
	`origin` text NOT NULL,
	`rule` integer,
	`by` text,
	`decided` integer NOT NULL,
	`lines` text NOT NULL,
	CONSTRAINT "sale_cards_origin" CHECK("sale_cards"."origin" in ('typed', 'rule'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sale_cards_version` ON `sale_cards` (`model`,`version`);--> statement-breakpoint
INSERT INTO `pricing_rules` (`kind`, `name`, `markup_percent`, `basis`) VALUES ('everything', '', '0', 'highest');--> statement-breakpoint
INSERT INTO `pricing_rules` (`kind`, `name`, `markup_percent`, `basis`) SELECT 'vendor', `name`, `margin_percent`, 'highest' FROM `vendors` WHERE CAST(`margin_percent` AS REAL) <> 0 ORDER BY `name`;--> statement-breakpoint
INSERT INTO `sale_cards` (`model`, `version`, `valid_from`, `origin`, `decided`, `lines`) SELECT `model`, CAST(`version` AS TEXT), iif(`model` IN (SELECT `id` FROM `models`), min(max(`valid_from`) OVER (PARTITION BY `model` ORDER BY `version`), CAST(strftime('%s', 'now') AS INTEGER) * 1000), NULL), 'typed', `valid_from`, `lines` FROM `price_cards` ORDER BY `model`, `version`;--> statement-breakpoint
INSERT INTO `sale_cards` (`model`, `version`, `origin`, `decided`, `lines`) SELECT `model`, `version`, 'rule', 0, `lines` FROM `sold_cards` ORDER BY `rowid`;
