CREATE TABLE `connections` (
	`name` text PRIMARY KEY NOT NULL,
	`fields` text NOT NULL,
	`secret` text
);
--> statement-breakpoint
CREATE TABLE `account_webhooks` (
	`account` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`choices` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bell_notices` (
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`notice` text NOT NULL,
	`seen` integer,
	PRIMARY KEY(`person`, `account`, `notice`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `bell_notices_notice` ON `bell_notices` (`notice`);--> statement-breakpoint
CREATE INDEX `bell_notices_unseen` ON `bell_notices` (`person`,`account`) WHERE "bell_notices"."seen" is null;--> statement-breakpoint
CREATE TABLE `contacts` (
	`person` integer PRIMARY KEY NOT NULL,
	`language` text,
	`email` text,
	`email_pending` text,
	`code_hash` text,
	`code_sent` integer,
	`code_expires` integer,
	`code_wrong` integer DEFAULT 0 NOT NULL,
	`code_count` integer DEFAULT 0 NOT NULL,
	`code_since` integer,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `holder_deliveries` (
	`notice` text NOT NULL,
	`way` text NOT NULL,
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` integer NOT NULL,
	`created` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`notice`, `way`, `person`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "holder_deliveries_state" CHECK("holder_deliveries"."state" in ('pending', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `holder_deliveries_pending` ON `holder_deliveries` (`way`,`due`) WHERE "holder_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `holder_deliveries_account` ON `holder_deliveries` (`account`,`way`,`created`);--> statement-breakpoint
CREATE TABLE `known_places` (
	`person` integer NOT NULL,
	`place` text NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`person`, `place`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `notice_choices` (
	`person` integer NOT NULL,
	`way` text NOT NULL,
	`topic` text NOT NULL,
	`on` integer NOT NULL,
	PRIMARY KEY(`person`, `way`, `topic`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `verification_tries` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `verification_tries_account` ON `verification_tries` (`account`,`at`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`account` integer PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`state` text NOT NULL,
	`first_name` text,
	`last_name` text,
	`national_code` text,
	`national_hash` text,
	`birth_date` text,
	`provider` text NOT NULL,
	`reason` text,
	`by` text,
	`submitted` integer NOT NULL,
	`decided` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_state_known" CHECK("verifications"."state" in ('submitted', 'approved', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `verifications_hash` ON `verifications` (`national_hash`);--> statement-breakpoint
CREATE INDEX `verifications_state` ON `verifications` (`state`,`submitted`);--> statement-breakpoint
CREATE INDEX `verifications_decided` ON `verifications` (`decided`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `closed` integer;--> statement-breakpoint
CREATE INDEX `keys_created` ON `keys` (`created`);--> statement-breakpoint
CREATE INDEX `keys_expires` ON `keys` (`expires_at`) WHERE "keys"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `invitations_created` ON `invitations` (`created`);