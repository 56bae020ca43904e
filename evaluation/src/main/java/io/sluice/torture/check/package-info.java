/**
 * The judgement of a history: what clients asked and were told, against what a store may answer. It
 * has no effects and knows no clock; times are arguments.
 */
@NullMarked
package io.sluice.torture.check;

import org.jspecify.annotations.NullMarked;
