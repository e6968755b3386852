CREATE TABLE `profit_account_months` (
	`month` integer NOT NULL,
	`account` integer NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`month`, `account`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `profit_months` (
	`month` integer NOT NULL,
	`model` text NOT NULL,
	`vendor` text NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`month`, `model`, `vendor`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_months` (
	`project` integer NOT NULL,
	`month` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `month`, `key`, `model`)
) WITHOUT ROWID;
