/**
 * Foundation: what a setting may be. Each room has a record of its settings; the records check
 * their values with {@link io.sluice.setting.Requirements} and refuse all that are wrong at once.
 */
@NullMarked
package io.sluice.setting;

import org.jspecify.annotations.NullMarked;
