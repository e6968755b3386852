CREATE TABLE `active_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`accounts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_zone_key_days` (
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`day` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `key`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_zone_model_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `model`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `transfers_topups` ON `transfers` (`created`,`amount`) WHERE "transfers"."kind" = 'topup';--> statement-breakpoint
CREATE INDEX `profit_account_months_charged` ON `profit_account_months` (`month`,`charged`);--> statement-breakpoint
CREATE INDEX `profit_account_months_margin` ON `profit_account_months` (`month`,("charged" - "refunded" - "vendor_cost"));--> statement-breakpoint
INSERT INTO `usage_rollup_fill` (`id`, `project`, `day`) SELECT 2, 0, 0 WHERE EXISTS (SELECT 1 FROM `usage_zone_days`);
