CREATE TABLE `operator_passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_handle` text,
	`expires` integer NOT NULL,
	`operator` integer,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_passkey_challenges_expires` ON `operator_passkey_challenges` (`expires`);--> statement-breakpoint
CREATE TABLE `operator_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_handle` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`created` integer NOT NULL,
	`last_used` integer,
	`operator` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_passkeys_operator` ON `operator_passkeys` (`operator`);--> statement-breakpoint
ALTER TABLE `operator_sessions` ADD `passkey` text;