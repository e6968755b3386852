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
CREATE INDEX `account_looks_open` ON `account_looks` (`ended`,`expires`);