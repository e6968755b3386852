CREATE TABLE `operator_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`by` text NOT NULL,
	`created` integer NOT NULL,
	`expires` integer,
	`revoked` integer,
	CONSTRAINT "operator_keys_role" CHECK("operator_keys"."role" in ('viewer', 'staff', 'owner'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_hash` ON `operator_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `operator_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer,
	`totp` text NOT NULL,
	`expires` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `operator_recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_recovery_codes_operator` ON `operator_recovery_codes` (`operator`);--> statement-breakpoint
CREATE TABLE `operator_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer NOT NULL,
	`created` integer NOT NULL,
	`expires` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	`way` text NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_sessions_operator` ON `operator_sessions` (`operator`);--> statement-breakpoint
CREATE INDEX `operator_sessions_expires` ON `operator_sessions` (`expires`);--> statement-breakpoint
CREATE TABLE `operator_tries` (
	`who` text PRIMARY KEY NOT NULL,
	`wrong` integer NOT NULL,
	`locked_until` integer NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_tries_last` ON `operator_tries` (`last`);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password` text,
	`totp` text,
	`totp_step` integer DEFAULT 0 NOT NULL,
	`created` integer NOT NULL,
	`removed` integer,
	CONSTRAINT "operators_role" CHECK("operators"."role" in ('viewer', 'staff', 'owner'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operators_name` ON `operators` (`name`);--> statement-breakpoint
CREATE INDEX `keys_prefix` ON `keys` (`prefix`);--> statement-breakpoint
CREATE INDEX `trail_who` ON `trail` (`who`);