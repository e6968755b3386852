CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`verified` integer NOT NULL,
	`daily_cap` integer,
	`concurrency` integer NOT NULL,
	`requests_per_minute` integer NOT NULL,
	`max_request_kb` integer NOT NULL,
	`balance` integer NOT NULL,
	`created` integer NOT NULL,
	CONSTRAINT "accounts_status" CHECK("accounts"."status" in ('active', 'suspended'))
);
--> statement-breakpoint
CREATE TABLE `keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`project` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`state` text NOT NULL,
	`requests_per_minute` integer,
	`spend_limit` integer,
	`allowed_models` text,
	`allowed_addresses` text,
	`expires_at` integer,
	`created` integer NOT NULL,
	FOREIGN KEY (`project`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_project` ON `keys` (`project`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`name` text NOT NULL,
	`active` integer NOT NULL,
	`allowed_models` text,
	`monthly_budget` integer,
	`created` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `projects_account` ON `projects` (`account`);--> statement-breakpoint
CREATE TABLE `calibrations` (
	`model` text PRIMARY KEY NOT NULL,
	`factor` real NOT NULL,
	`updated` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `models` (
	`id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `price_cards` (
	`model` text NOT NULL,
	`version` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`lines` text NOT NULL,
	PRIMARY KEY(`model`, `version`)
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `vendors` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`dialect` text NOT NULL,
	`base_url` text NOT NULL,
	`credential` text,
	`timeout_ms` integer NOT NULL,
	`margin_percent` text NOT NULL,
	`active` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spent` (
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`period` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`id`, `kind`, `period`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` integer PRIMARY KEY NOT NULL,
	`debit` integer NOT NULL,
	`credit` integer NOT NULL,
	`amount` integer NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`created` integer NOT NULL,
	FOREIGN KEY (`debit`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transfers_amount" CHECK("transfers"."amount" > 0),
	CONSTRAINT "transfers_sides" CHECK("transfers"."debit" <> "transfers"."credit")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_reference` ON `transfers` (`kind`,`reference`);--> statement-breakpoint
CREATE TABLE `requests` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`endpoint` text NOT NULL,
	`model` text NOT NULL,
	`vendor` text,
	`vendor_model` text,
	`streamed` integer NOT NULL,
	`status` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`reasoning_tokens` integer NOT NULL,
	`units` text,
	`estimated` integer NOT NULL,
	`cost` integer NOT NULL,
	`held` integer NOT NULL,
	`card_version` text NOT NULL,
	`error` text,
	`address` text NOT NULL,
	`created` integer NOT NULL,
	`latency_ms` integer,
	`first_byte_ms` integer,
	CONSTRAINT "requests_status" CHECK("requests"."status" in ('pending', 'success', 'error', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX `requests_pending` ON `requests` (`id`) WHERE "requests"."status" = 'pending';