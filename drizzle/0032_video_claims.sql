DROP INDEX `video_jobs_open`;--> statement-breakpoint
ALTER TABLE `video_jobs` ADD `due` integer;--> statement-breakpoint
ALTER TABLE `video_jobs` ADD `claim` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `video_jobs` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `video_jobs` ADD `missing` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `video_jobs_due` ON `video_jobs` (`vendor`,`due`) WHERE "video_jobs"."status" in ('queued', 'in_progress');--> statement-breakpoint
CREATE INDEX `video_jobs_open` ON `video_jobs` (`status`,`created`) WHERE "video_jobs"."status" in ('creating', 'queued', 'in_progress');--> statement-breakpoint
UPDATE `video_jobs` SET `due` = `created` WHERE `status` IN ('creating', 'queued', 'in_progress') AND `status` <> 'creating';
