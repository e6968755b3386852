CREATE TABLE `usage_key_months` (
	`month` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`month`, `project`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_model_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `model`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_rollup_fill` (
	`id` integer PRIMARY KEY NOT NULL,
	`project` integer NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_service_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
) WITHOUT ROWID;
