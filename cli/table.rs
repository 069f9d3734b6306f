//! Tables that fit the terminal: columns as wide as they need to be, the last one
//! cut to what is left.

use mailstop_core::text;
use terminal_size::{Width, terminal_size};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::error::CliError;
use crate::output::{Printer, Style};

/// What the last column has at least.
const LAST: usize = 12;

/// Rows under headings. Cells are escaped as they come in.
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(headings: &[&'static str]) -> Table {
        Table { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: &[String]) {
        self.rows.push(cells.iter().map(|cell| text::line(cell)).collect());
    }

    /// Prints the table.
    pub(crate) fn print(&self, printer: &mut Printer) -> Result<(), CliError> {
        let width = terminal_size().map_or(usize::MAX, |(Width(width), _)| usize::from(width));
        let widths = self.fitted(width);
        let headings: Vec<String> = self.headings.iter().map(|word| (*word).to_owned()).collect();
        let heading = fit(&headings, &widths, width);
        printer.line(printer.paint(Style::Dim, &heading))?;
        for row in &self.rows {
            printer.line(fit(row, &widths, width))?;
        }
        Ok(())
    }

    /// Takes from the widest columns, but the last, until that one has room too.
    fn fitted(&self, width: usize) -> Vec<usize> {
        let mut widths = self.widths();
        let last = widths.len().saturating_sub(1);
        while widths[..last].iter().map(|column| column + 2).sum::<usize>() + LAST > width {
            match widths[..last].iter_mut().max() {
                Some(widest) if *widest > 8 => *widest -= 1,
                _ => break,
            }
        }
        widths
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        self.headings
            .iter()
            .enumerate()
            .map(|(column, heading)| widest(column).max(heading.len()))
            .collect()
    }
}

fn fit(cells: &[String], widths: &[usize], width: usize) -> String {
    let mut line = String::new();
    for (place, cell) in cells.iter().enumerate() {
        if place + 1 == cells.len() {
            line.push_str(&shorten(cell, width.saturating_sub(line.width()).max(8)));
        } else {
            let cell = shorten(cell, widths[place]);
            line.push_str(&cell);
            line.push_str(&" ".repeat(widths[place] - cell.width() + 2));
        }
    }
    line.trim_end().to_owned()
}

/// Cuts text to a number of terminal columns.
fn shorten(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let kept: String = text
        .chars()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used < width
        })
        .collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_takes_what_is_left() {
        let cells = ["a".to_owned(), "한국어 텍스트".to_owned()];
        assert_eq!(fit(&cells, &[2, 13], 12), "a   한국어…");
        assert_eq!(fit(&cells, &[2, 13], usize::MAX), "a   한국어 텍스트");
    }
}
