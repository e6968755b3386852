CREATE TABLE `model_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`listed` integer NOT NULL
);
