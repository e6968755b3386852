CREATE TABLE `video_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`request` text NOT NULL,
	`account` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`seconds` text NOT NULL,
	`size` text NOT NULL,
	`cost` integer NOT NULL,
	`created` integer NOT NULL,
	`status` text NOT NULL,
	`progress` integer NOT NULL,
	`vendor` text,
	`vendor_model` text,
	`vendor_job` text,
	`error` text,
	`ended` integer,
	`expires` integer,
	`deleted` integer,
	CONSTRAINT "video_jobs_status" CHECK("video_jobs"."status" in ('creating', 'queued', 'in_progress', 'completed', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX `video_jobs_shown` ON `video_jobs` (`project`,`id`) WHERE "video_jobs"."deleted" is null and "video_jobs"."status" <> 'creating';--> statement-breakpoint
CREATE INDEX `video_jobs_open` ON `video_jobs` (`status`) WHERE "video_jobs"."status" in ('creating', 'queued', 'in_progress');