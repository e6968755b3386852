CREATE TABLE `passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`person` integer,
	`user_handle` text,
	`expires` integer NOT NULL,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `passkey_challenges_expires` ON `passkey_challenges` (`expires`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`user_handle` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`created` integer NOT NULL,
	`last_used` integer,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`phone` text NOT NULL,
	`role` text NOT NULL,
	`by` integer NOT NULL,
	`created` integer NOT NULL,
	`expires` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('owner', 'member'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_account_phone` ON `invitations` (`account`,`phone`);--> statement-breakpoint
CREATE INDEX `invitations_phone` ON `invitations` (`phone`);--> statement-breakpoint
CREATE TABLE `sister_service` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`sign_in_url` text NOT NULL,
	`secret` text
);
--> statement-breakpoint
CREATE TABLE `used_tickets` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_tickets_expires` ON `used_tickets` (`expires`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `way` text DEFAULT 'code' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `passkey` text;
