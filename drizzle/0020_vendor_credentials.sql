CREATE TABLE `vendor_credentials` (
	`vendor` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`active` integer NOT NULL,
	PRIMARY KEY(`vendor`, `name`)
);
--> statement-breakpoint
CREATE TABLE `vendor_states` (
	`vendor` text NOT NULL,
	`credential` text NOT NULL,
	`trouble` text,
	`since` integer,
	`cooling_until` integer,
	`balance` text,
	`currency` text,
	`checked` integer,
	`failure_code` text,
	`failed_at` integer,
	PRIMARY KEY(`vendor`, `credential`)
);
--> statement-breakpoint
ALTER TABLE `vendors` ADD `credential_active` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `video_jobs` ADD `vendor_credential` text;
