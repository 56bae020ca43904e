/** Behaviour that the command lines of all modules share. */
@NullMarked
package io.sluice.command;

import org.jspecify.annotations.NullMarked;
