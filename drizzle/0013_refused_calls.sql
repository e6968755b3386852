CREATE TABLE `refused_calls` (
	`id` integer PRIMARY KEY NOT NULL,
	`minute` integer NOT NULL,
	`key` integer NOT NULL,
	`source` text NOT NULL,
	`code` text NOT NULL,
	`account` integer,
	`project` integer,
	`count` integer NOT NULL,
	`endpoint` text,
	`address` text NOT NULL,
	`request` text NOT NULL,
	`time` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refused_calls_line` ON `refused_calls` (`minute`,`key`,`source`,`code`);