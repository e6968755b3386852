CREATE TABLE `sent_codes` (
	`id` integer PRIMARY KEY NOT NULL,
	`phone` text NOT NULL,
	`browser` text NOT NULL,
	`address` text NOT NULL,
	`place` text NOT NULL,
	`newcomer` integer NOT NULL,
	`name` text,
	`hash` text,
	`sent` integer NOT NULL,
	`expires` integer NOT NULL,
	`wrong` integer NOT NULL,
	`answered` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sent_codes_phone` ON `sent_codes` (`phone`,`sent`);--> statement-breakpoint
CREATE INDEX `sent_codes_sent` ON `sent_codes` (`sent`);--> statement-breakpoint
CREATE TABLE `sign_in_places` (
	`phone` text NOT NULL,
	`place` text NOT NULL,
	`seen` integer NOT NULL,
	`wrong` integer NOT NULL,
	`wrong_since` integer NOT NULL,
	PRIMARY KEY(`phone`, `place`)
);
--> statement-breakpoint
CREATE INDEX `sign_in_places_seen` ON `sign_in_places` (`seen`);--> statement-breakpoint
ALTER TABLE `sign_in_hours` ADD `strangers` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_in_hours` ADD `newcomers` integer DEFAULT 0 NOT NULL;