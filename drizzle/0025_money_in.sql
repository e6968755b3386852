CREATE TABLE `card_gateways` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	`options` text NOT NULL,
	`secret` text
);
--> statement-breakpoint
CREATE TABLE `card_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`person` integer,
	`gateway` text NOT NULL,
	`kind` text NOT NULL,
	`coins` integer,
	`rate` text,
	`rate_until` integer,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`charged` integer NOT NULL,
	`reference` text,
	`state` text NOT NULL,
	`code` text,
	`due` integer,
	`created` integer NOT NULL,
	`credited` integer,
	`credited_amount` integer,
	`credited_rate` text,
	`receipt` text,
	`card` text,
	`transfer` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "card_payments_state" CHECK("card_payments"."state" in ('started', 'credited', 'refused', 'expired')),
	CONSTRAINT "card_payments_amount" CHECK("card_payments"."amount" > 0 and "card_payments"."charged" > 0),
	CONSTRAINT "card_payments_credit" CHECK(("card_payments"."state" = 'credited') = ("card_payments"."transfer" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `card_payments_reference` ON `card_payments` (`kind`,`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `card_payments_transfer` ON `card_payments` (`transfer`);--> statement-breakpoint
CREATE INDEX `card_payments_account` ON `card_payments` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `card_payments_due` ON `card_payments` (`due`) WHERE "card_payments"."due" is not null;--> statement-breakpoint
CREATE TABLE `redeem_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`batch` text NOT NULL,
	`amount` integer NOT NULL,
	`ending` text NOT NULL,
	`created` integer NOT NULL,
	`by` text NOT NULL,
	`expires` integer,
	`revoked` integer,
	`redeemed` integer,
	`account` integer,
	`transfer` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "redeem_codes_amount" CHECK("redeem_codes"."amount" > 0),
	CONSTRAINT "redeem_codes_redeemed" CHECK(("redeem_codes"."redeemed" is null) = ("redeem_codes"."transfer" is null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `redeem_codes_hash` ON `redeem_codes` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `redeem_codes_transfer` ON `redeem_codes` (`transfer`);--> statement-breakpoint
CREATE INDEX `redeem_codes_batch` ON `redeem_codes` (`batch`);--> statement-breakpoint
CREATE TABLE `redeem_tries` (
	`id` integer PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`address` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `redeem_tries_person` ON `redeem_tries` (`person`,`at`);--> statement-breakpoint
CREATE INDEX `redeem_tries_address` ON `redeem_tries` (`address`,`at`);--> statement-breakpoint
CREATE INDEX `redeem_tries_at` ON `redeem_tries` (`at`);--> statement-breakpoint
CREATE TABLE `trial_slips` (
	`reference` text PRIMARY KEY NOT NULL,
	`payment` text NOT NULL,
	`rials` integer NOT NULL,
	`state` text NOT NULL
);
