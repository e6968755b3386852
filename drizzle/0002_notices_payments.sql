CREATE TABLE `notice_deliveries` (
	`notice` text NOT NULL,
	`channel` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`notice`, `channel`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "notice_deliveries_state" CHECK("notice_deliveries"."state" in ('pending', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `notice_deliveries_pending` ON `notice_deliveries` (`channel`,`due`) WHERE "notice_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`period` text NOT NULL,
	`threshold` integer NOT NULL,
	`limit` integer NOT NULL,
	`amount` integer NOT NULL,
	`about` text NOT NULL,
	`created` integer NOT NULL,
	`recovered` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notices_told` ON `notices` (`subject`,`kind`,`period`,`threshold`,`limit`) WHERE "notices"."recovered" is null;--> statement-breakpoint
CREATE TABLE `coin_rates` (
	`id` integer PRIMARY KEY NOT NULL,
	`rate` text NOT NULL,
	`valid_from` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `coin_rates_valid_from` ON `coin_rates` (`valid_from`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`coins` integer NOT NULL,
	`rate` text NOT NULL,
	`amount` integer NOT NULL,
	`reference` text NOT NULL,
	`transfer` integer NOT NULL,
	`created` integer NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_coins" CHECK("payments"."coins" > 0),
	CONSTRAINT "payments_amount" CHECK("payments"."amount" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_transfer` ON `payments` (`transfer`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `notice_floor` integer;--> statement-breakpoint
ALTER TABLE `transfers` ADD `note` text;--> statement-breakpoint
ALTER TABLE `transfers` ADD `by` text;--> statement-breakpoint
CREATE TRIGGER `coin_rates_no_update` BEFORE UPDATE ON `coin_rates` BEGIN SELECT RAISE(ABORT, 'coin_rates are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `coin_rates_no_delete` BEFORE DELETE ON `coin_rates` BEGIN SELECT RAISE(ABORT, 'coin_rates are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `payments_no_update` BEFORE UPDATE ON `payments` BEGIN SELECT RAISE(ABORT, 'payments are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `payments_no_delete` BEFORE DELETE ON `payments` BEGIN SELECT RAISE(ABORT, 'payments are append-only'); END;
