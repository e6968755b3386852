CREATE TABLE `memberships` (
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`role` text NOT NULL,
	`created` integer NOT NULL,
	PRIMARY KEY(`person`, `account`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "memberships_role" CHECK("memberships"."role" in ('owner', 'member'))
);
--> statement-breakpoint
CREATE INDEX `memberships_account` ON `memberships` (`account`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` integer PRIMARY KEY NOT NULL,
	`phone` text,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_phone` ON `people` (`phone`);--> statement-breakpoint
CREATE TABLE `phone_moves` (
	`person` integer PRIMARY KEY NOT NULL,
	`phone` text,
	`by` text NOT NULL,
	`due` integer NOT NULL,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `phone_moves_due` ON `phone_moves` (`due`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`created` integer NOT NULL,
	`seen` integer NOT NULL,
	`expires` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires`);--> statement-breakpoint
CREATE TABLE `sign_in_asks` (
	`id` integer PRIMARY KEY NOT NULL,
	`who` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_asks_who` ON `sign_in_asks` (`who`,`at`);--> statement-breakpoint
CREATE INDEX `sign_in_asks_at` ON `sign_in_asks` (`at`);--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`phone` text PRIMARY KEY NOT NULL,
	`hash` text,
	`sent` integer NOT NULL,
	`expires` integer NOT NULL,
	`wrong` integer NOT NULL,
	`wrong_since` integer NOT NULL,
	`locked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_in_hours` (
	`hour` text PRIMARY KEY NOT NULL,
	`sent` integer NOT NULL,
	`wrong` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sms_providers` (
	`name` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`position` integer NOT NULL,
	`options` text NOT NULL,
	`secret` text
);
--> statement-breakpoint
CREATE TABLE `trail` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`who` text NOT NULL,
	`what` text NOT NULL,
	`subject` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `trail_subject` ON `trail` (`subject`);--> statement-breakpoint
ALTER TABLE `keys` ADD `made_by` integer;--> statement-breakpoint
CREATE TRIGGER `trail_no_update` BEFORE UPDATE ON `trail` BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `trail_no_delete` BEFORE DELETE ON `trail` BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END;
