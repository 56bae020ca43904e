/**
 * The measurements of an evaluation, as values: samples, intervals over rounds, and their files.
 */
@NullMarked
package io.sluice.evaluate.figures;

import org.jspecify.annotations.NullMarked;
