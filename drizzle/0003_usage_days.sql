CREATE TABLE `usage_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `key`, `model`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `usage_days` SELECT `project`, `created` / 86400000, `key`, `model`, count(*), sum(`status` = 'error'), sum(`input_tokens`), sum(`output_tokens`), sum(`cached_tokens`), sum(`cost`) FROM `requests` WHERE `status` <> 'pending' GROUP BY 1, 2, 3, 4;
