CREATE TABLE `operator_days` (
	`operator` text NOT NULL,
	`day` integer NOT NULL,
	`granted` integer NOT NULL,
	`verifications` integer NOT NULL,
	`allowance` integer NOT NULL,
	PRIMARY KEY(`operator`, `day`)
);
--> statement-breakpoint
ALTER TABLE `operator_links` ADD `by` text;