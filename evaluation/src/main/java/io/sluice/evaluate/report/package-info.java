/**
 * A run told to people: findings in plain sentences, charts, and one page that needs no other file.
 */
@NullMarked
package io.sluice.evaluate.report;

import org.jspecify.annotations.NullMarked;
