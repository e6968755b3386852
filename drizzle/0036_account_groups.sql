CREATE TABLE `account_looks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`person` integer NOT NULL,
	`who` text NOT NULL,
	`hash` text NOT NULL,
	`begun` integer NOT NULL,
	`opened` integer,
	`expires` integer NOT NULL,
	`ended` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_looks_hash` ON `account_looks` (`hash`);--> statement-breakpoint
CREATE INDEX `account_looks_account` ON `account_looks` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `account_looks_open` ON `account_looks` (`ended`,`expires`);--> statement-breakpoint
CREATE TABLE `account_groups` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`daily_cap` integer,
	`concurrency` integer,
	`requests_per_minute` integer,
	`max_request_kb` integer,
	`unverified_ceiling` integer,
	`created` integer NOT NULL,
	`removed` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_groups_name` ON `account_groups` (`name`) WHERE "account_groups"."removed" is null;--> statement-breakpoint
DROP INDEX `pricing_rules_scope`;--> statement-breakpoint
ALTER TABLE `pricing_rules` ADD `account_group` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pricing_rules` ADD `marked_up` text DEFAULT 'cost' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `pricing_rules_scope` ON `pricing_rules` (`account_group`,`kind`,`name`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `account_group` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `unverified_ceiling` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `own_limits` text;--> statement-breakpoint
CREATE INDEX `accounts_group` ON `accounts` (`account_group`,`id`) WHERE "accounts"."account_group" is not null;--> statement-breakpoint
ALTER TABLE `sale_cards` ADD `account_group` integer;--> statement-breakpoint
ALTER TABLE `sale_cards` ADD `base` text;--> statement-breakpoint
ALTER TABLE `sale_cards` ADD `terms` text;--> statement-breakpoint
CREATE INDEX `notice_deliveries_failed` ON `notice_deliveries` (`notice`) WHERE "notice_deliveries"."state" = 'failed';