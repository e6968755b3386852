CREATE TABLE `account_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`text` text NOT NULL,
	`by` text NOT NULL,
	`created` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_notes_account` ON `account_notes` (`account`);